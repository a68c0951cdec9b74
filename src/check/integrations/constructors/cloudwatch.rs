//! The `cloudwatch` integration: settings that its exporter rejects (`ScrapeConf.Validate` in YACE), and settings that
//! make the agent panic (`asyncExporter.Run`).

use crate::check::integrations::setting::{ABOVE_ZERO, REQUIRED_KEY, nanoseconds};
use crate::check::walk::Expect::{In, OneOf, With};
use crate::check::walk::{Json, Rows, Walk};

pub const ROWS: Rows = &[
    (
        "decoupled_scraping",
        With(|scraping, walk| {
            if scraping.is_true("enabled") {
                walk.check_row("scrape_interval", &ABOVE_ZERO, scraping);
            }
        }),
    ),
    ("discovery.jobs[]", In(DISCOVERY)),
    ("static[].name|namespace", REQUIRED_KEY),
    ("static[]", In(JOB)),
];

/// Rules for a job that discovers resources (`Job.validateDiscoveryJob`).
const DISCOVERY: Rows = &[
    ("type", REQUIRED_KEY),
    ("type", OneOf(SERVICES)),
    ("metrics", REQUIRED_KEY),
    ("metrics[].statistics", REQUIRED_KEY),
    ("", In(JOB)),
];

/// Rules for jobs of both types.
const JOB: Rows = &[
    ("regions", REQUIRED_KEY),
    (
        "roles[]",
        With(|role, walk| {
            if role.has("external_id") {
                walk.check_row("role_arn", &REQUIRED_KEY, role);
            }
        }),
    ),
    ("metrics[].name", REQUIRED_KEY),
    ("metrics[]", With(check_times)),
];

/// Default, in seconds, that YACE uses if a period is missing, or if a period or length is below one second.
const DEFAULT_SECONDS: i64 = 300;

/// Checks a metric's times (`Metric.validateMetric`).
fn check_times<'v>(metric: Json<'v>, walk: &mut Walk<'v>) {
    let (Some(period), Some(length)) = (nanoseconds(metric, "period", 0), nanoseconds(metric, "length", 0)) else {
        return;
    };
    let seconds = |nanoseconds: i64| match nanoseconds / 1_000_000_000 {
        0 => DEFAULT_SECONDS,
        seconds => seconds,
    };
    let (period, length) = (seconds(period), seconds(if length == 0 { period } else { length }));
    if period < 1 {
        walk.report_field("period", "is negative").help = "write a duration such as `5m`".to_owned();
    } else if length < period {
        let report = walk.report_field("length", format!("is shorter than the period of {period} seconds"));
        report.help = "make `length` at least as long as `period`, or remove it".to_owned();
    }
}

/// Services by name and by namespace (`SupportedServices`).
const SERVICES: &str = "|\
    /aws/sagemaker/Endpoints|/aws/sagemaker/InferenceRecommendationsJobs|/aws/sagemaker/ProcessingJobs\
    |/aws/sagemaker/TrainingJobs|/aws/sagemaker/TransformJobs|AWS/ACMPrivateCA|AWS/AOSS|AWS/AmazonMQ|AWS/ApiGateway\
    |AWS/AppStream|AWS/AppSync|AWS/ApplicationELB|AWS/Athena|AWS/AutoScaling|AWS/Backup|AWS/Billing|AWS/Cassandra\
    |AWS/CertificateManager|AWS/ClientVPN|AWS/CloudFront|AWS/Cognito|AWS/DDoSProtection|AWS/DMS|AWS/DX|AWS/DocDB\
    |AWS/DynamoDB|AWS/EBS|AWS/EC2|AWS/EC2Spot|AWS/ECS|AWS/EFS|AWS/ELB|AWS/EMRServerless|AWS/ES|AWS/ElastiCache\
    |AWS/ElasticBeanstalk|AWS/ElasticMapReduce|AWS/FSx|AWS/Firehose|AWS/GameLift|AWS/GlobalAccelerator|AWS/IoT\
    |AWS/Kafka|AWS/KafkaConnect|AWS/Kinesis|AWS/KinesisAnalytics|AWS/Lambda|AWS/MWAA|AWS/MediaConnect\
    |AWS/MediaConvert|AWS/MediaLive|AWS/MediaTailor|AWS/MemoryDB|AWS/NATGateway|AWS/Neptune|AWS/NetworkELB\
    |AWS/NetworkFirewall|AWS/PrivateLinkEndpoints|AWS/PrivateLinkServices|AWS/Prometheus|AWS/QLDB|AWS/RDS\
    |AWS/Redshift|AWS/Route53|AWS/Route53Resolver|AWS/S3|AWS/SES|AWS/SNS|AWS/SQS|AWS/SageMaker\
    |AWS/Sagemaker/ModelBuildingPipeline|AWS/States|AWS/StorageGateway|AWS/TransitGateway|AWS/TrustedAdvisor\
    |AWS/Usage|AWS/VPN|AWS/WAFV2|AWS/WorkSpaces|AmazonMWAA|CWAgent|ECS/ContainerInsights|Glue|acm|acm-pca|airflow|alb\
    |amp|aoss|apigateway|appstream|appsync|asg|athena|backup|beanstalk|billing|cassandra|clientvpn|cloudfront\
    |cognito-idp|cwagent|dms|docdb|dx|dynamodb|ebs|ec|ec2|ec2Spot|ecs-containerinsights|ecs-svc|efs|elb|emr\
    |emr-serverless|es|firehose|fsx|ga|gamelift|glue|iot|kafka|kafkaconnect|kinesis|kinesis-analytics|lambda\
    |mediaconnect|mediaconvert|medialive|mediatailor|memorydb|mq|mwaa|neptune|nfw|ngw|nlb|qldb|rds|redshift|route53\
    |route53-resolver|s3|sagemaker|sagemaker-endpoints|sagemaker-inf-rec|sagemaker-model-building-pipeline\
    |sagemaker-processing|sagemaker-training|sagemaker-transform|ses|sfn|shield|sns|sqs|storagegateway|tgw\
    |trustedadvisor|usage|vpc-endpoint|vpc-endpoint-service|vpn|wafv2|workspaces";
